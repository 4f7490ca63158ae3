import { accessOf, type Endpoint } from '@keepsnap/contract/endpoint.ts'

/** What an endpoint that is not public answers to callers without a valid credential: status and body. */
export function refusalOf(endpoint: Endpoint): [status: number, body: { code: string; detail: string }] {
  const access = accessOf(endpoint)
  if (access.includes('user')) return [401, { code: 'unauthorized', detail: 'Please sign in.' }]
  if (access.includes('operator')) return [404, { code: 'not_found', detail: 'There is nothing at this URL.' }]
  return [401, { code: 'unauthorized', detail: 'Invalid or missing API key' }]
}
