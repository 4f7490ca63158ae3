import { randomBytes } from 'node:crypto'
import type { Photo } from '@keepsnap/contract/photos.ts'

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
  /** Uploads a photo; the acknowledged photo, or undefined when it was not acknowledged. */
  upload(file: Uint8Array<ArrayBuffer>, options?: { name?: string; key?: string }): Promise<Photo | undefined>
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

/** A user who has a token already. */
export function visitorWith({ address, email, token }: { address: string; email: string; token: string }): Visitor {
  const call: Visitor['call'] = (method, path, init = {}) =>
    fetch(`${address}${path}`, { ...init, method, headers: { authorization: `Bearer ${token}`, ...init.headers } })
  return {
    email,
    password,
    token,
    call,
    async upload(file, { name = 'photo.jpg', key } = {}) {
      const form = new FormData()
      form.append('file', new Blob([file], { type: 'image/jpeg' }), name)
      const answer = await call('POST', '/photos/upload', {
        body: form,
        ...(key && { headers: { 'idempotency-key': key } }),
      })
      if (answer.status !== 201) return undefined
      return (await answer.json()) as Photo // what the contract says
    },
  }
}
