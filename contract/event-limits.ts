/** Limits of events: apart from the others, so that pages without events do not load them. */
export const eventLimits = {
  /** Of one account, deleted ones that can still be brought back included. */
  eventsMax: 500,
  /** Photos of guests that an owner may allow for one event. */
  allowanceMax: 100_000,
  /** How long the deletion of an event can be undone. */
  undoDays: 7,
  /** Photos of one contributor that wait for their review or are processed; and how many they may add in a minute. */
  waitingPerContributor: 30,
  /** Guests' photos may fill this part of the plan's storage, with all else in it: the rest is the owner's. */
  guestStoragePercent: 80,
  /** How long a contributor can take back a photo. */
  takeBackMinutes: 60,
  /** Photos in the list of a contributor's own. */
  ownPhotosMax: 500,
  reviewPageDefault: 50,
  reviewPageMax: 200,
  /** How long rejected photos are kept, and those of guests that could not be processed. */
  rejectedDays: 30,
  /** Without dates, adding ends so long after the first photo of a guest. */
  addingDays: 7,
  /** Contributors are deleted so long after adding has ended, and so long after they were last seen. */
  contributorDaysAfterEnd: 30,
  contributorDays: 90,
  /** So many photos that have waited for so long: an email to the owner. */
  reviewEmailPhotos: 10,
  reviewEmailMinutes: 10,
  /** Codes of one event that work, the event's own included. */
  codesMax: 200,
  /** Hours with photos to which a gallery leads: those of four days and nights. */
  hoursListed: 96,
  /** Photos of one page of a guest gallery. */
  galleryPage: 60,
  /** Photos of the ZIP file of an event. */
  archiveMax: 100_000,
  /** Downloads of it by its guests at the same time; and by its owner and each event grant, beside these. */
  guestDownloadsAtOnce: 20,
  downloadsAtOnce: 2,
  /** Event grants of one event that have neither expired nor been revoked. */
  grantsMax: 20,
  /** How long the link to all photos of an event works, which its owner sends. */
  grantDays: 90,
  /** Event grants of all events of one account that are listed or revoked together. */
  grantsListed: 500,
  /** Emails with them, of one account. */
  grantEmailsPerDay: 30,
  /** How long a phone keeps which photos of an event it has scanned; longer where the guest asks for it. */
  scannedHours: 48,
  rememberedDays: 30,
  /** Photos that guests request together. */
  requestedPhotos: 50,
  /** Guests who wait for the gallery of one event to open; and events for which one address waits. */
  noticesMax: 2_000,
  noticesPerAddress: 10,
  /** Photos of a page of an event grant. */
  grantPagePhotos: 60,
  /** Helpers of one event, those whose link has ended included, until they are removed. */
  helpersMax: 50,
  /** Of all events of one account that are listed or ended together. */
  helpersListed: 500,
  /** How long a helper's link works when its event has no day that is still to come. */
  helperHours: 48,
} as const
