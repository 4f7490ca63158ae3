/** Waiting, failing, asking, and nothing there. */
export const states = {
  loading: 'Loading...',
  tryAgain: 'Try Again',
  cancel: 'Cancel',
  close: 'Close',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  broken: {
    title: 'Something went wrong',
    heading: 'That didn’t develop',
    lead: 'This page stopped working. Your photos are safe; loading it again usually helps.',
    reload: 'Reload the page',
  },
  unreachable: {
    heading: 'We can’t reach the server',
    lead: 'Check this device’s connection. You are still signed in.',
  },
}
