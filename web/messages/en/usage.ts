/** What is left of a plan's limits. */
export const usage = {
  heading: 'Usage this month',
  photos: 'Photos',
  storage: 'Storage',
  of: (used: string, most: string) => `${used} of ${most}`,
  photosLeft: (percent: string, left: string, until: string) => `${percent}, ${left} left until ${until}`,
  storageLeft: (percent: string, left: string) => `${percent}, ${left} left`,
  counting: 'Photos count from the 1st of the month (UTC). Deleted ones count too, failed ones don’t.',
  yourPlan: (plan: string) => `Your plan is ${plan}.`,
  planUnknown: 'We can’t tell what your plan includes right now. It appears here as soon as we can.',
  left: (left: string, most: string, until: string) => `${left} of ${most} photos left until ${until}.`,
  /** `used`: 8 of 10. */
  monthNear: (used: string, left: string, until: string) =>
    `${used} of this month’s photos are used, ${left} left until ${until}.`,
  monthFull: (most: string, until: string) =>
    `All ${most} photos of this month are used. More photos wait in the upload list and upload automatically on ${until} or after an upgrade.`,
  storageNear: (used: string, left: string) => `${used} of storage is used, ${left} left.`,
  storageFull: (size: string) =>
    `Your storage of ${size} is full. Photos that don’t fit wait in the upload list and upload automatically once you delete others or after an upgrade.`,
  plans: 'See the plans',
  gallery: 'Open the gallery',
  subscription: 'See your usage',
  hide: 'Hide until 90%',
}
