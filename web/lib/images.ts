import type { LogoGrounds } from '@keepsnap/contract/accounts.ts'

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

/** Browsers may defer decoding while they paint nothing: so long after it has loaded, an image counts as decoded. */
const decodeTimeoutMs = 3_000

/**
 * Loads and decodes an image, so that it appears without a flicker. Null if it cannot be loaded, or not within
 * `timeoutMs`.
 */
export async function loadImage(url: string, timeoutMs: number): Promise<HTMLImageElement | null> {
  const image = new Image()
  const timers: ReturnType<typeof setTimeout>[] = []
  const after = <Result>(ms: number, result: () => Result): Promise<Result> =>
    new Promise((resolve) => timers.push(setTimeout(() => resolve(result()), ms)))
  const loaded = new Promise<HTMLImageElement>((resolve) => {
    image.addEventListener('load', () => void after(decodeTimeoutMs, () => image).then(resolve), { once: true })
  })
  image.src = url
  const decoded = image.decode().then(
    () => image,
    // Browsers refuse to decode very large images in advance, but they can show them.
    () => (image.complete && image.naturalWidth > 0 ? image : null),
  )
  try {
    return await Promise.race([decoded, loaded, after(timeoutMs, () => null)])
  } finally {
    timers.forEach(clearTimeout)
  }
}

/** The attributes with which styles/base.css draws the ground of a logo in each theme. */
export const logoGround = (grounds: Pick<LogoGrounds, 'light' | 'dark'> | null | undefined) => ({
  'data-ground': grounds?.light ?? 'none',
  'data-ground-dark': grounds?.dark ?? 'none',
})
