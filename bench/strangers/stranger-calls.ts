import type { Photo } from '@keepsnap/contract/photos.ts'
import { iPhoneAgent } from '@keepsnap/e2e/guest-phone.ts'
import { newId } from '@keepsnap/server/lib/ids.ts'
import type { RequestLoad } from '../http-load.ts'

/** A call that needs no account, and the status that it is answered with at first; later ones may reach a rate limit. */
export interface StrangerCall extends Pick<RequestLoad, 'method' | 'headers' | 'body'> {
  name: string
  /** Called in turn. */
  paths: string[]
  status: number
  /** The rate that the product promises, in requests per second. */
  leastPerSecond?: number
}

const jsonBody = (body: unknown) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})
const formBody = (body: string) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body,
})
const browser = { accept: 'text/html', 'accept-encoding': 'gzip' }
const iPhone = { ...browser, 'user-agent': iPhoneAgent, 'sec-fetch-dest': 'document' }
const uploadOf = (bytes: number) => ({
  method: 'POST',
  paths: ['/photos/upload'],
  headers: { 'content-type': 'multipart/form-data; boundary=x' },
  body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.jpg"\r\n\r\n${'j'.repeat(bytes)}\r\n--x--\r\n`,
})

const pathOf = (url: string | null): string => {
  if (url === null) throw new Error('a photo is not processed')
  return new URL(url).pathname
}

const unknownIds = Array.from({ length: 500 }, () => newId())
const [unknown = ''] = unknownIds

/** Calls that are about no photo. */
const accountCalls: StrangerCall[] = [
  { name: 'own photos without a token', paths: ['/photos'], status: 401 },
  {
    name: 'own photos with a wrong token',
    paths: ['/photos'],
    headers: { authorization: 'Bearer wrong' },
    status: 401,
  },
  {
    name: 'registration with a bad address',
    paths: ['/register'],
    ...jsonBody({ email: 'x', password: 'y' }),
    status: 422,
  },
  { name: 'home page', paths: ['/'], headers: browser, status: 200 },
  { name: 'unknown page', paths: ['/nowhere'], headers: browser, status: 404 },
  { name: 'sample picture, page', paths: ['/sample/dance'], headers: browser, status: 200 },
  { name: 'sample picture, QR code', paths: ['/qr/s/dance.svg'], status: 200 },
  { name: '/health', paths: ['/health'], status: 200 },
  { name: '/ready', paths: ['/ready'], status: 200 },
]

/** Every kind of call that anybody may make, about a photo that guests may see. */
export function strangerCalls(photo: Photo): StrangerCall[] {
  const [code, requestCode] = [pathOf(photo.qr_code_url), pathOf(photo.email_qr_code_url)]
  return [
    { name: 'QR code, PNG', paths: [code], status: 200, leastPerSecond: 3_000 },
    { name: 'QR code of the request page, PNG', paths: [requestCode], status: 200, leastPerSecond: 3_000 },
    { name: 'QR code, SVG', paths: [`${code}.svg`], status: 200 },
    { name: 'QR code of nothing', paths: unknownIds.map((id) => `/qr/d/${id}`), status: 404 },
    { name: 'upload without a token, 1 KB', ...uploadOf(1_000), status: 401 },
    { name: 'upload without a token, 1 MB', ...uploadOf(1_000_000), status: 401 },
    { name: 'request page', paths: [`/request-photo/${photo.id}`], headers: browser, status: 200 },
    {
      name: 'request form with a bad address',
      paths: [`/request-photo/${photo.id}`],
      ...formBody('email=nobody'),
      status: 422,
    },
    {
      name: 'photo request with a bad address',
      paths: [`/photos/${photo.id}/request-email`],
      ...jsonBody({ email: 'nobody' }),
      status: 422,
    },
    {
      name: 'request page of an unknown photo',
      paths: unknownIds.map((id) => `/request-photo/${id}`),
      headers: browser,
      status: 404,
    },
    { name: 'page of a scanned code, iPhone', paths: [code.replace('/qr', '')], headers: iPhone, status: 200 },
    { name: 'public details', paths: [`/photos/${photo.id}/public`], status: 200 },
    { name: 'thumbnail', paths: [pathOf(photo.thumbnail_url)], status: 200 },
    { name: 'image with a wrong signature', paths: [`${pathOf(photo.b2_url)}?s=${unknown}`], status: 404 },
    { name: 'link of an email that is not valid', paths: [`/g/${unknown}`], headers: browser, status: 404 },
    ...accountCalls,
  ]
}
