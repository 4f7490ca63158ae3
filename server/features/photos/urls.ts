import { LRUCache } from 'lru-cache'
import { eventPages, pages, type SampleName, samplePagePath } from '@keepsnap/contract/site.ts'
import {
  createTextEncryption,
  shortHmac,
  timingSafeEqualText,
  deriveKeys,
  type SecretKeys,
} from '../../lib/cryptography.ts'
import { maxEntries } from '../../lib/max-entries.ts'

/** What the signature of a full-size URL covers. */
export interface SignedImage {
  photoId: string
  fullKey: string
  /** A counter of the photo's owner. Incrementing it invalidates all URLs signed before. */
  mediaEpoch: number
  /** Since when the photo is hidden: while it is, only URLs signed with that time are valid. */
  hiddenAt: Date | null
}

/** A thumbnail that is hidden, and who gets its URL: an operator's works longer than the owner's. */
export interface HiddenThumbnail {
  thumbKey: string
  hiddenAt: Date
  reader: 'owner' | 'operator'
}

/** The pictures of a photo that is reviewed. */
export interface ReviewedImages {
  photoId: string
  thumbKey: string | null
  fullKey: string | null
  mediaEpoch: number
}

/** The picture for screens of a photo that a helper sees, as long as it is in the event, and neither hidden nor shown again. */
export type HelperImage = Omit<SignedImage, 'fullKey'> & { fullKey: string | null; eventId: string | null }

/** The public part of a storage key. */
const storageNameOf = (key: string): string => key.slice(key.indexOf('/') + 1)
/** A list of photos has up to a thousand signatures, and clients reload the same lists often. */
const maxCachedSignatures = 50_000
/** An address of a picture that is reviewed works until the end of the period after that in which it was made. */
const reviewPeriodMs = 12 * 60 * 60 * 1000

export type Urls = ReturnType<typeof createUrls>

/** Creates every URL that the program gives out: in responses, QR codes and emails. All start with PUBLIC_URL. */
export function createUrls(publicUrl: string, secretKeys: SecretKeys) {
  const [signingKey, ...acceptedKeys] = deriveKeys(secretKeys, 'keepsnap image addresses')
  const ownPhotoKeys = deriveKeys(secretKeys, 'keepsnap photos of contributors')
  const signatureCache = new LRUCache<string, string>(maxEntries(maxCachedSignatures))
  const fullImageText = ({ photoId, fullKey, mediaEpoch, hiddenAt }: SignedImage): string =>
    `full.${photoId}.${fullKey}.${mediaEpoch}${hiddenAt ? `.hidden.${hiddenAt.getTime()}` : ''}`
  const isAccepted = (text: string, signature: string): boolean =>
    acceptedKeys.some((key) => timingSafeEqualText(shortHmac(key, text), signature))
  const screenImageText = (image: SignedImage): string => `screen.${fullImageText(image)}`
  const sign = (text: string): string => {
    const cachedSignature = signatureCache.get(text)
    if (cachedSignature !== undefined) return cachedSignature
    const signature = shortHmac(signingKey, text)
    signatureCache.set(text, signature)
    return signature
  }
  const isSignatureOf = (text: string, signature: string): boolean =>
    timingSafeEqualText(sign(text), signature) || isAccepted(text, signature)
  const thumbnailText = ({ thumbKey, hiddenAt, reader }: HiddenThumbnail): string =>
    `thumb.${thumbKey}.${reader}.${hiddenAt.getTime()}`
  /** `age`: 0 for an address that is made now, 1 for one of the period before. */
  const reviewText = (
    kind: 'thumb' | 'screen',
    { photoId, mediaEpoch, key, age }: Pick<ReviewedImages, 'photoId' | 'mediaEpoch'> & { key: string; age: 0 | 1 },
  ): string => `review.${kind}.${photoId}.${key}.${mediaEpoch}.${Math.floor(Date.now() / reviewPeriodMs) - age}`
  const helperText = ({ eventId, hiddenAt, fullKey, ...of }: HelperImage, age: 0 | 1): string =>
    `helper.${eventId}.${hiddenAt?.getTime() ?? 0}.${reviewText('screen', { ...of, key: fullKey ?? '', age })}`
  const signThumbnail = (thumbnail: HiddenThumbnail): string => shortHmac(signingKey, thumbnailText(thumbnail))
  const thumbnailUrl = (thumbKey: string): string => `${publicUrl}/t/${storageNameOf(thumbKey)}`
  return {
    /** The page of an event for guests. */
    eventPage: (code: string) => `${publicUrl}/e/${code}`,
    /** The same, where guests with a link of an email can download all photos. */
    eventArchivePage: (code: string, grant: string) => `${publicUrl}/e/${code}?grant=${encodeURIComponent(grant)}`,
    /** The picture of the QR code that leads to `eventPage`. */
    eventQr: (code: string) => `${publicUrl}/qr/e/${code}`,
    /** The page with all photos of an event, for those who have its owner's link. */
    eventGrantPage: (secret: string) => `${publicUrl}/a/${secret}`,
    /** The page on which a helper begins. The secret is not sent to the server when it is opened. */
    helperPage: (secret: string) => `${publicUrl}${eventPages.helper}#${secret}`,
    /** The full-size image, signed. */
    fullImage: (image: SignedImage) =>
      `${publicUrl}/media/${storageNameOf(image.fullKey)}?s=${sign(fullImageText(image))}`,
    isFullImageSignature: (image: SignedImage, signature: string) => isSignatureOf(fullImageText(image), signature),
    /** The picture for screens that is made from a full-size image, signed. */
    screenImage: (image: SignedImage) =>
      `${publicUrl}/screen/${storageNameOf(image.fullKey)}?s=${sign(screenImageText(image))}`,
    isScreenImageSignature: (image: SignedImage, signature: string) => isSignatureOf(screenImageText(image), signature),
    /** Public and unguessable, as long as the photo is not hidden. */
    thumbnail: thumbnailUrl,
    /** Signed with the time at which the photo was hidden. */
    hiddenThumbnail: (thumbnail: HiddenThumbnail) =>
      `${thumbnailUrl(thumbnail.thumbKey)}?s=${signThumbnail(thumbnail)}`,
    isThumbnailSignature: (thumbnail: HiddenThumbnail, signature: string) =>
      timingSafeEqualText(signThumbnail(thumbnail), signature) || isAccepted(thumbnailText(thumbnail), signature),
    /** What photos are called for their contributor, who never learns an id. */
    ownPhotos: (contributorId: string) => createTextEncryption(ownPhotoKeys, contributorId),
    /** The pictures of a guest's photo for who reviews it, whatever was decided: for 12 to 24 hours, since helpers may have ended. */
    reviewImages: ({ thumbKey, fullKey, ...of }: ReviewedImages) => ({
      thumbnail:
        thumbKey && `${thumbnailUrl(thumbKey)}?s=${sign(reviewText('thumb', { ...of, key: thumbKey, age: 0 }))}`,
      screen:
        fullKey &&
        `${publicUrl}/screen/${storageNameOf(fullKey)}?s=${sign(reviewText('screen', { ...of, key: fullKey, age: 0 }))}`,
    }),
    isReviewSignature: (
      kind: 'thumb' | 'screen',
      { photoId, thumbKey, fullKey, mediaEpoch }: ReviewedImages,
      s: string,
    ) => {
      const key = kind === 'thumb' ? thumbKey : fullKey
      if (key === null || s === '') return false
      return ([0, 1] as const).some((age) => isSignatureOf(reviewText(kind, { photoId, mediaEpoch, key, age }), s))
    },
    /** The picture for screens of a photo that guests see, or that a helper has hidden, for a helper; as long as that of a reviewed one. */
    helperImage: (image: SignedImage & { eventId: string }) =>
      `${publicUrl}/screen/${storageNameOf(image.fullKey)}?s=${sign(helperText(image, 0))}`,
    isHelperSignature: (image: HelperImage, s: string) =>
      ([0, 1] as const).some((age) => isSignatureOf(helperText(image, age), s)),
    /** An event on its owner's pages, and the review of its guests' photos. */
    ownEventPage: (eventId: string) => `${publicUrl}/events/${encodeURIComponent(eventId)}`,
    reviewPage: (eventId: string) => `${publicUrl}/events/${encodeURIComponent(eventId)}/review`,
    /** A logo or a background. Public and unguessable. */
    brandImage: (imageKey: string) => `${publicUrl}/b/${storageNameOf(imageKey)}`,
    /** The picture of the QR code that leads to `directDownload`. */
    directQr: (code: string) => `${publicUrl}/qr/d/${code}`,
    /** The picture of the QR code that leads to `requestPage`. */
    requestQr: (photoId: string) => `${publicUrl}/qr/r/${photoId}`,
    directDownload: (code: string) => `${publicUrl}/d/${code}`,
    requestPage: (photoId: string) => `${publicUrl}/request-photo/${photoId}`,
    samplePage: (name: SampleName) => `${publicUrl}${samplePagePath(name)}`,
    grantPage: (token: string) => `${publicUrl}/g/${token}`,
    resetPage: (token: string) => `${publicUrl}${pages.resetPassword}?token=${token}`,
    verifyPage: (token: string) => `${publicUrl}${pages.verifyEmail}?token=${token}`,
    /** A photo in its owner's gallery. */
    galleryPhoto: (id: string) => `${publicUrl}${pages.gallery}?photo=${encodeURIComponent(id)}`,
    /** The owner's page with reported photos. */
    reportsPage: () => `${publicUrl}${pages.photoRequests}`,
    archiveDownload: (token: string) => `${publicUrl}/export/${token}`,
    /** Photos as one ZIP file. */
    photoArchive: (secret: string) => `${publicUrl}/archive/${secret}`,
    unsubscribePage: (token: string) => `${publicUrl}/stop/${token}`,
  }
}
