/** The page for setting a new password, opened from an email. */
export const reset = {
  genericError: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  reset: {
    title: 'Set a new password',
    heading: 'Set a new password',
    lead: 'Changing it signs you out on all devices.',
    password: 'New password',
    confirm: 'Confirm password',
    submit: 'Set new password',
    done: 'Your password has been changed. Please sign in.',
    invalid: {
      heading: 'Invalid Reset Link',
      missing: 'Invalid or missing reset token. Please request a new password reset link.',
      request: 'Request a new link',
    },
  },
}
