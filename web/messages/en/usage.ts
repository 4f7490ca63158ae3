/** What is left of a plan's limits; docs/behaviour.md section 9. */
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
  monthFull: (most: string, until: string) =>
    `All ${most} photos of this month are used. More photos wait here and upload by themselves on ${until}, or after an upgrade.`,
  storageFull: (size: string) =>
    `Your storage of ${size} is full. Photos that don’t fit wait here and upload by themselves once you delete others.`,
  plans: 'See the plans',
  gallery: 'Open the gallery',
  sign: (left: number) =>
    left === 0
      ? 'No photos left this month'
      : left === 1
        ? '1 photo left this month'
        : `${left} photos left this month`,
}
