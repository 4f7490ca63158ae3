import { photoExtensions } from '../../../lib/photo-file-types.ts'

/**
 * What the file picker offers. `image/*` comes first: Android's picker disables every file when it knows none of the
 * types. HEIC is named too, so that iPhones deliver their photos unconverted and computers that do not know its type
 * offer it; the server converts it.
 */
export const acceptedFileTypes = {
  'image/*': photoExtensions,
  'image/heic': ['.heic'],
  'image/heif': ['.heif'],
}

const extensionPattern = /\.([A-Za-z0-9]{1,5})$/

/** The file's type as users know it: `HEIC`. */
export const fileTypeOf = ({ name, type }: { name: string; type: string }): string =>
  (extensionPattern.exec(name)?.[1] ?? type.split('/')[1] ?? '').toUpperCase()
