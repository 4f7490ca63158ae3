/**
 * What the file picker offers. `image/*` first: Android's picker greys everything out when it knows none of the types.
 * HEIC by name as well, so that iPhones hand their photos over as they are and computers without a type for it offer
 * it; the server converts.
 */
export const acceptedImages = {
  'image/*': ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.avif', '.tif', '.tiff', '.heic', '.heif'],
  'image/heic': ['.heic'],
  'image/heif': ['.heif'],
}

const byEnding = /\.([A-Za-z0-9]{1,5})$/

/** What kind of file it is, for people: `HEIC`. */
export const kindOf = ({ name, type }: { name: string; type: string }): string =>
  (byEnding.exec(name)?.[1] ?? type.split('/')[1] ?? '').toUpperCase()
