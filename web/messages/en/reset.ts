/** The page behind the link that sets a new password; spec sections 2, 5 and 8. */
export const reset = {
  otherwise: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  reset: {
    title: 'Set a new password',
    heading: 'Set a new password',
    lead: 'It signs you out everywhere, so that only the new one opens your account.',
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
