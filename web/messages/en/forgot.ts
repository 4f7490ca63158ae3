/** Asking for a link to set a new password. */
export const forgot = {
  genericError: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
  title: 'Forgot password',
  heading: 'Forgot your password?',
  lead: 'Enter the address of your account. We’ll send you a link to set a new one.',
  submit: 'Send the link',
  emailNeeded: 'Please enter an email address, such as name@example.com.',
  sent: {
    heading: 'Check your email',
    lead: 'If an account exists for this address, we’ve sent a link to:',
    hint: 'The link works once, for 30 minutes. Didn’t get it? Check your spam folder or try again in a few minutes.',
    another: 'Use another address',
  },
}
