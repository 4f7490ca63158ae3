import { createHmac, timingSafeEqual } from 'node:crypto'
import { pages } from '@keepsnap/contract/pages.ts'
import { hashOf } from './ids.ts'

/** What a signed address is about. `epoch` is the owner's media epoch: when it changes, older addresses are void. */
export interface SignedImage {
  photoId: string
  fullKey: string
  epoch: number
}

/** The link with which whoever has a mailbox stops photos to it. Drawn from the secret key: it is the same in every letter. */
interface Stops {
  /** `mailbox` as `mailboxKey` writes it. */
  stop(mailbox: string): string
  stopPage(secret: string): string
  /** What a block is stored under: neither the address nor the link can be found from it. */
  blockOf(mailbox: string): Buffer
  /** The same by a link's secret; undefined when it is none of ours. */
  blockBy(secret: string): Buffer | undefined
}

/** Makes every address that leaves the program: in answers, codes and letters. All of them start with PUBLIC_URL. */
export interface Addresses extends Stops {
  full(image: SignedImage): string
  isSigned(image: SignedImage, signature: string): boolean
  /** Public and unguessable; of a hidden photo, with the signature that only its owner is given. */
  thumbnail(thumbKey: string, hidden?: boolean): string
  isSignedThumbnail(thumbKey: string, signature: string): boolean
  /** Public and unguessable: a logo or a background. */
  brand(key: string): string
  directCode(code: string): string
  requestCode(photoId: string): string
  /** What the codes say. */
  direct(code: string): string
  requestPage(photoId: string): string
  /**
   * The secret of a request's link: 256 bits drawn from the secret key and the request. Every attempt to send its letter,
   * by hand as well, carries the same link, and nothing secret has to be stored.
   */
  grant(requestId: string): string
  grantPage(grant: string): string
  /** A client's pseudonym of today: counts can tell one from another, nobody can tell who it was. */
  pseudonym(client: string): string
  /** The secret of a link that does one thing to an account, drawn in the same way; `what` keeps the kinds apart. */
  accountSecret(what: 'reset' | 'verify' | 'archive', id: string): string
  resetPage(secret: string): string
  verifyPage(secret: string): string
  archive(secret: string): string
}

const nameOf = (key: string): string => key.slice(key.indexOf('/') + 1)
const rememberMost = 50_000

function isSame(right: string, given: string): boolean {
  const [one, other] = [Buffer.from(right), Buffer.from(given)]
  return one.length === other.length && timingSafeEqual(one, other)
}

/** The secret is an id of the mailbox and its signature, of 132 bits each: nothing is stored before somebody blocks. */
function createStops(publicUrl: string, secretKey: string): Stops {
  const key = createHmac('sha256', secretKey).update('keepsnap stops').digest()
  const half = 22
  const form = new RegExp(`^[\\w-]{${2 * half}}$`)
  const draw = (text: string): string => createHmac('sha256', key).update(text).digest('base64url').slice(0, half)
  const idOf = (mailbox: string): string => draw(`mailbox.${mailbox}`)
  const signed = (id: string): string => id + draw(`id.${id}`)
  return {
    stop: (mailbox) => signed(idOf(mailbox)),
    stopPage: (secret) => `${publicUrl}/stop/${secret}`,
    blockOf: (mailbox) => hashOf(idOf(mailbox)),
    blockBy(secret) {
      if (!form.test(secret)) return undefined
      const id = secret.slice(0, half)
      return isSame(signed(id), secret) ? hashOf(id) : undefined
    },
  }
}

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
  const signThumbnail = (thumbKey: string): string =>
    createHmac('sha256', key).update(`thumb.${thumbKey}`).digest('base64url').slice(0, 22)
  const grantKey = createHmac('sha256', secretKey).update('keepsnap grants').digest()
  const accountKey = createHmac('sha256', secretKey).update('keepsnap accounts').digest()
  return {
    full: (image) => `${publicUrl}/media/${nameOf(image.fullKey)}?s=${sign(image)}`,
    isSigned: (image, signature) => isSame(sign(image), signature),
    thumbnail: (thumbKey, hidden = false) =>
      `${publicUrl}/t/${nameOf(thumbKey)}${hidden ? `?s=${signThumbnail(thumbKey)}` : ''}`,
    isSignedThumbnail: (thumbKey, signature) => isSame(signThumbnail(thumbKey), signature),
    brand: (key) => `${publicUrl}/b/${nameOf(key)}`,
    directCode: (code) => `${publicUrl}/qr/d/${code}`,
    requestCode: (photoId) => `${publicUrl}/qr/r/${photoId}`,
    direct: (code) => `${publicUrl}/d/${code}`,
    requestPage: (photoId) => `${publicUrl}/request-photo/${photoId}`,
    grant: (requestId) => createHmac('sha256', grantKey).update(requestId).digest('base64url'),
    pseudonym: (client) =>
      createHmac('sha256', key)
        .update(`client ${client} ${new Date().toISOString().slice(0, 10)}`)
        .digest('base64url')
        .slice(0, 22),
    grantPage: (grant) => `${publicUrl}/g/${grant}`,
    accountSecret: (what, id) => createHmac('sha256', accountKey).update(`${what}.${id}`).digest('base64url'),
    resetPage: (secret) => `${publicUrl}${pages.resetPassword}?token=${secret}`,
    verifyPage: (secret) => `${publicUrl}${pages.verifyEmail}?token=${secret}`,
    archive: (secret) => `${publicUrl}/export/${secret}`,
    ...createStops(publicUrl, secretKey),
  }
}
