import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { Photo } from '@keepsnap/contract/photos.ts'
import { waitLimitMs } from './program.ts'

/** A signed-in user of the API, over real HTTP. */
export interface Visitor {
  email: string
  password: string
  token: string
  /** The answer to an authenticated call; throws on network failures only. */
  call(
    method: string,
    path: string,
    init?: { body?: BodyInit; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>
  /** A call with a body in JSON. */
  send(method: string, path: string, body: unknown): Promise<Response>
  /** Uploads a photo; the acknowledged photo, or undefined when it was not acknowledged. */
  upload(file: Uint8Array, options?: { name?: string; key?: string }): Promise<Photo | undefined>
  /** Uploads a photo, and waits until it is processed. */
  addPhoto(file: Uint8Array, name?: string): Promise<Photo>
  /** Uploads a logo or a background. */
  addBrand(path: '/upload-logo' | '/upload-background', file: Uint8Array): Promise<Response>
}

export const password = 'Correct.Horse.9'

/** Registers a new user with a program. Tests give each its own forwarded address when the program trusts them. */
export async function newVisitor(address: string, from?: string): Promise<Visitor> {
  const email = `visitor-${randomBytes(6).toString('hex')}@example.com`
  const answer = await fetch(`${address}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(from && { 'x-forwarded-for': from }) },
    body: JSON.stringify({ email, password }),
  })
  if (answer.status !== 201) throw new Error(`registration answered ${answer.status}: ${await answer.text()}`)
  const { access_token: token } = (await answer.json()) as { access_token: string } // what the contract says
  return visitorWith({ address, email, token })
}

const formWith = (file: Uint8Array, name: string): FormData => {
  const form = new FormData()
  form.append('file', new Blob([Uint8Array.from(file)], { type: 'image/jpeg' }), name)
  return form
}

/** The address at the end of a photo's QR code for downloads. */
export const codeOf = ({ qr_code_url: url }: Pick<Photo, 'qr_code_url'>): string =>
  url.split('/').at(-1)!.replace('.png', '')

/** A user who has a token already. */
export function visitorWith({ address, email, token }: { address: string; email: string; token: string }): Visitor {
  const call: Visitor['call'] = (method, path, init = {}) =>
    fetch(`${address}${path}`, { ...init, method, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  const upload: Visitor['upload'] = async (file, { name = 'photo.jpg', key } = {}) => {
    const headers = { ...(key && { 'idempotency-key': key }) }
    const answer = await call('POST', '/photos/upload', { body: formWith(file, name), headers })
    if (answer.status !== 201) return undefined
    return (await answer.json()) as Photo // what the contract says
  }
  return {
    email,
    password,
    token,
    call,
    send: (method, path, body) =>
      call(method, path, { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    upload,
    async addPhoto(file, name) {
      const uploaded = await upload(file, { ...(name && { name }) })
      if (!uploaded) throw new Error('a photo was refused')
      for (const end = Date.now() + waitLimitMs; Date.now() < end; await delay(50)) {
        const photo = (await (await call('GET', `/photos/${uploaded.id}`)).json()) as Photo // what the contract says
        if (photo.processing_complete) return photo
      }
      throw new Error('a photo was not processed')
    },
    addBrand: (path, file) => call('POST', path, { body: formWith(file, 'brand.jpg') }),
  }
}
