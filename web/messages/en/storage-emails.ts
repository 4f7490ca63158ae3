/** Emails about what a plan includes: usage of it, and photos that are removed after a larger plan has ended. */
export const storageEmails = {
  usage: {
    photosNearlyUsed: (used: string, limit: string) => `You’ve used ${used} of your ${limit} photos this month`,
    photosUsed: (limit: string) => `You’ve used all ${limit} photos of this month`,
    storageNearlyFull: (used: string, limit: string) => `You’ve used ${used} of your ${limit} of storage`,
    storageFull: (limit: string) => `Your storage of ${limit} is full`,
    preview: (planName: string) => `What your ${planName} plan includes, and how to get more.`,
    photosLead: (planName: string, limit: string) => `Your plan, ${planName}, includes ${limit} photos a month.`,
    photosUntil: (when: string) => `The count resets on ${when}.`,
    photosWait: 'Until then, new photos stay in your upload list. They upload automatically once there is space.',
    storageLead: (planName: string, limit: string, used: string) =>
      `Your plan, ${planName}, includes ${limit} of storage. Your photos take ${used}.`,
    storageWaits: 'New photos that don’t fit stay in your upload list. They upload automatically once there is space.',
    morePhotos: 'If you need more photos before then, choose a larger plan.',
    moreStorage: 'Delete photos you no longer need, or choose a larger plan.',
    morePhotosThanAnyPlan: (address: string) => `If you need more photos before then, write to ${address}.`,
    moreStorageThanAnyPlan: (address: string) =>
      `Delete photos you no longer need. If you need more storage, write to ${address}.`,
    plans: 'See the plans',
    gallery: 'Open the gallery',
    settings: 'Open Settings',
    reason: (host: string) =>
      `You’re receiving this email because your account at ${host} has reached a limit of its plan.`,
  },
  removal: {
    subject: (photos: number, count: string, when: string) =>
      photos === 1 ? `1 photo will be removed on ${when}` : `${count} photos will be removed on ${when}`,
    preview: 'Download everything, choose a larger plan, or delete photos you no longer need.',
    heading: (photos: number, count: string) =>
      photos === 1 ? '1 of your photos will be removed' : `${count} of your photos will be removed`,
    lead: (planName: string, limit: string, used: string) =>
      `Your larger plan has ended. Your plan is now ${planName}, with ${limit} of storage, and your photos take ${used}.`,
    removed: ({ photos, count, size, when }: { photos: number; count: string; size: string; when: string }) =>
      photos === 1
        ? `On ${when} the oldest photo (${size}) will be removed, so that the others fit. Its codes and links stop working then.`
        : `On ${when} the ${count} oldest photos (${size}) will be removed, so that the others fit. Their codes and links stop working then.`,
    keep: (pricingUrl: string) =>
      `To keep them all, choose a larger plan at ${pricingUrl}, or delete other photos before that day.`,
    archive:
      'A copy of everything in your account is ready. Keep its link private: anyone who has it can open the file.',
    noArchive: 'In Settings you can ask for a copy of everything in your account.',
    download: 'Download everything',
    expiry: (when: string) => `The link works until ${when}.`,
    settings: 'Open Settings',
    reason: (host: string) => `You’re receiving this email because photos of your account at ${host} will be removed.`,
  },
  removed: {
    subject: (photos: number, count: string) => (photos === 1 ? '1 photo was removed' : `${count} photos were removed`),
    preview: (when: string) => `You can restore them until ${when}.`,
    heading: (photos: number, count: string) =>
      photos === 1 ? '1 of your photos was removed' : `${count} of your photos were removed`,
    lead: (planName: string, limit: string, size: string) =>
      `Your plan, ${planName}, includes ${limit} of storage. The oldest photos (${size}) were removed, so that the others fit.`,
    restore: (when: string) =>
      `Until ${when} you can restore them: choose a larger plan and they return automatically, or free some storage and restore them in Settings. After that, they are deleted.`,
    button: 'Open Settings',
    reason: (host: string) => `You’re receiving this email because photos of your account at ${host} were removed.`,
  },
}
