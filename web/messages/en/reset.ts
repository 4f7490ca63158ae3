/** A forgotten password, and the links of letters that set a new one or confirm an address; spec sections 2, 5 and 8. */
export const reset = {
  otherwise: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  forgot: {
    title: 'Forgot password',
    heading: 'Forgot your password?',
    lead: 'Enter the address of your account. We send a link that sets a new one.',
    submit: 'Send the link',
    emailNeeded: 'Please enter an email address, such as name@example.com.',
    sent: {
      heading: 'Check your email',
      lead: 'If an account exists for this address, a link is on its way to:',
      hint: 'The link works for 30 minutes, once. Nothing there? Look in the spam folder, or ask again in a few minutes.',
      another: 'Use another address',
    },
  },
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
  verify: {
    title: 'Confirm your address',
    heading: 'Is this your address?',
    lead: 'One press confirms that the letter reached you.',
    submit: 'Confirm my address',
    done: {
      heading: 'Your address is confirmed',
      lead: 'Your account goes by:',
      settings: 'Go to Settings',
      login: 'Sign In',
    },
    expired: {
      heading: 'This link no longer works',
      lead: 'It has expired or was used already. You can ask for a new one in Settings.',
      settings: 'Go to Settings',
    },
  },
}
