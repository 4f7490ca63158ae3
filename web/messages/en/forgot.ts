/** A forgotten password: asking for the link that sets a new one; spec sections 2, 5 and 8. */
export const forgot = {
  otherwise: 'An error occurred. Please try again.',
  toLogin: 'Back to Sign In',
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
}
