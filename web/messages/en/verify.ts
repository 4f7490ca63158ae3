/** The page behind the link that confirms an address. */
export const verify = {
  otherwise: 'An error occurred. Please try again.',
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
}
