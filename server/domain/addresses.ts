import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed address is about. `epoch` is the owner's media epoch: when it changes, older addresses are void. */
export interface SignedImage {
  photoId: string
  fullKey: string
  epoch: number
}

/** Makes every address that leaves the program: in answers, codes and letters. All of them start with PUBLIC_URL. */
export interface Addresses {
  full(image: SignedImage): string
  isSigned(image: SignedImage, signature: string): boolean
  thumbnail(thumbKey: string): string
  directCode(code: string): string
  requestCode(photoId: string): string
  /** What the codes say. */
  direct(code: string): string
  requestPage(photoId: string): string
}

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1)
const rememberMost = 50_000

export function createAddresses(publicUrl: string, secretKey: string): Addresses {
  const key = createHmac('sha256', secretKey).update('keepsnap image addresses').digest()
  const remembered = new Map<string, string>()
  const sign = ({ photoId, fullKey, epoch }: SignedImage): string => {
    const text = `full.${photoId}.${fullKey}.${epoch}`
    const known = remembered.get(text)
    if (known) return known
    const signature = createHmac('sha256', key).update(text).digest('base64url').slice(0, 22)
    if (remembered.size >= rememberMost) remembered.clear()
    remembered.set(text, signature)
    return signature
  }
  return {
    full: (image) => `${publicUrl}/media/${nameOf(image.fullKey)}?s=${sign(image)}`,
    isSigned(image, signature) {
      const right = Buffer.from(sign(image))
      const given = Buffer.from(signature)
      return given.length === right.length && timingSafeEqual(given, right)
    },
    thumbnail: (thumbKey) => `${publicUrl}/t/${nameOf(thumbKey)}`,
    directCode: (code) => `${publicUrl}/qr/d/${code}`,
    requestCode: (photoId) => `${publicUrl}/qr/r/${photoId}`,
    direct: (code) => `${publicUrl}/d/${code}`,
    requestPage: (photoId) => `${publicUrl}/request-photo/${photoId}`,
  }
}
