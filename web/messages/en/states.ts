/** Shared by many pages: loading, errors, dialogs. */
export const states = {
  loading: 'Loading...',
  saving: 'Saving...',
  profileFailed: 'Failed to load your profile information.',
  tryAgain: 'Try Again',
  cancel: 'Cancel',
  close: 'Close',
  showPassword: 'Show password',
  hidePassword: 'Hide password',
  pageError: {
    heading: 'Something went wrong',
    lead: 'This page stopped working. Your photos are safe. Reloading usually helps.',
    reloads: 'This page stopped working. Your photos are safe. It reloads by itself in a moment.',
    reload: 'Reload the page',
  },
  tooManyRequests: (seconds: number) =>
    `Too many requests. Please wait ${seconds} ${seconds === 1 ? 'second' : 'seconds'} and try again.`,
  unreachable: {
    heading: 'We can’t reach the server',
    lead: 'Check this device’s connection. You are still signed in, and this page tries again by itself.',
    retries: 'Check this device’s connection. This page tries again by itself.',
  },
}
