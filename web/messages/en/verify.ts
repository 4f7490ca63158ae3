/** The page for confirming an email address, opened from an email. */
export const verify = {
  genericError: 'An error occurred. Please try again.',
  title: 'Confirm your address',
  heading: 'Is this your address?',
  lead: 'Click to confirm your address.',
  submit: 'Confirm my address',
  done: {
    heading: 'Your address is confirmed',
    lead: 'Your account’s email address:',
    settings: 'Go to Settings',
    login: 'Sign In',
  },
  expired: {
    heading: 'This link no longer works',
    lead: 'It has expired or has already been used. You can ask for a new one in Settings.',
    settings: 'Go to Settings',
  },
}
