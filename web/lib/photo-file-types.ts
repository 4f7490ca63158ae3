/** The formats of photos and of the background, as files name them; the server looks at the content. */
export const photoMimeTypes = [
  'image/jpeg',
  'image/png',
  'image/gif',
  'image/webp',
  'image/avif',
  'image/tiff',
  'image/heic',
  'image/heif',
]

/** For computers that do not know the type of a file, as most do not know HEIC. */
export const photoExtensions = ['.jpg', '.jpeg', '.png', '.gif', '.webp', '.avif', '.tif', '.tiff', '.heic', '.heif']
