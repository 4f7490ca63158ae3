/** API keys in settings. */
export const apiKeys = {
  name: 'API access',
  lead: 'For booths, cameras and your own site.',
  heading: 'Upload straight from your booth',
  partOf: (plan: string) => `API keys are part of ${plan}.`,
  /** Keys of a plan that has ended. */
  waiting: (count: string, one: boolean) =>
    one
      ? 'Your key doesn’t work now. It will work again after an upgrade.'
      : `Your ${count} keys don’t work now. They will work again after an upgrade.`,
  action: 'See the plans',
  documentation: 'API documentation',
  list: 'API keys',
  loadFailed: 'Your API keys couldn’t be loaded.',
  empty: 'No keys yet. A key lets a booth or a camera upload by itself.',
  createFirst: 'Create your first key',
  create: 'Create key',
  scope: 'A key can read your account and photos, and upload new photos. Nothing else.',
  createdOn: (date: string) => `created on ${date}`,
  expiresOn: (date: string) => `Expires on ${date}`,
  expired: 'Expired',
  neverUsed: 'Never used',
  usedNow: 'Used just now',
  usedMinutesAgo: (minutes: string) => `Used ${minutes} minutes ago`,
  usedToday: (time: string) => `Used today, ${time}`,
  notUsedSince: (date: string) => `Not used since ${date}`,
  deleteOne: (name: string) => `Delete the key ${name}`,
  creation: {
    title: 'Create an API key',
    lead: 'Name it after the device that will use it, so that you know later which one to delete.',
    label: 'Name',
    placeholder: 'For example: booth in the hall',
    expiry: 'Expires',
    expiryNever: 'Never',
    expiryDays: (days: string) => `In ${days} days`,
    expiryYear: 'In a year',
    submit: 'Create key',
    created: 'API key created successfully',
    failed: 'Failed to create API key',
  },
  newKey: {
    title: (name: string) => `New key: ${name}`,
    copyNow: 'Copy the key now. It is shown only once.',
    key: 'The key',
    example: 'Upload a photo with it:',
    command: 'The command',
    done: 'Done',
  },
  deletion: {
    title: 'Delete this key?',
    question: (name: string) =>
      `Devices and programs that use “${name}” stop working within a second and need a new key. Photos they uploaded stay.`,
    keep: 'Keep the key',
    confirm: 'Delete key',
    deleted: 'API key deleted successfully',
    failed: 'Failed to delete API key',
  },
}
