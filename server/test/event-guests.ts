import { contributorConsent, type listReview, type OwnPhoto, type OwnPhotos } from '@keepsnap/contract/event-photos.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { Event } from '@keepsnap/contract/events.ts'
import { newClientAddress, type TestServer } from './harness.ts'
import { multipartForm, type TestUser } from './test-data.ts'

/** A device of a guest who has joined an event. */
export interface TestGuest {
  code: string
  cookie: string
  from: string
}

/** What owners and guests of events do in tests. */
export function eventActions(serverOfTest: () => TestServer) {
  const call = (user: TestUser, method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, body?: object) =>
    serverOfTest().request({ method, url, token: user.token, ...(body && { body }) })
  const ask = (guest: TestGuest, method: 'GET' | 'POST' | 'DELETE', path: string, more: object = {}) =>
    serverOfTest().request({
      method,
      url: `/e/${guest.code}${path}`,
      from: guest.from,
      headers: { cookie: guest.cookie },
      ...more,
    })
  const joinAnswer = (code: string, body: object = {}, more: { from?: string; cookie?: string } = {}) =>
    serverOfTest().request({
      method: 'POST',
      url: `/e/${code}/join`,
      from: more.from ?? newClientAddress(),
      body: { consent_version: contributorConsent.version, ...body },
      ...(more.cookie !== undefined && { headers: { cookie: more.cookie } }),
    })
  return {
    call,
    ask,
    joinAnswer,
    codeOf: (event: Event): string => new URL(event.url).pathname.slice('/e/'.length),
    async createEvent(user: TestUser, settings: object = {}): Promise<Event> {
      const answer = await call(user, 'POST', '/user/events', {
        name: 'A wedding',
        guest_photos: 'review',
        ...settings,
      })
      if (answer.statusCode !== 201) throw new Error(answer.body)
      return answer.json<Event>()
    },
    /** A guest who has joined. */
    async guestOf(code: string, body: object = {}): Promise<TestGuest> {
      const from = newClientAddress()
      const answer = await joinAnswer(code, body, { from })
      if (answer.statusCode !== 200) throw new Error(answer.body)
      return { code, from, cookie: String(answer.headers['set-cookie']).split(';', 1)[0]! }
    },
    add(guest: TestGuest, file: Buffer, { key, filename }: { key?: string; filename?: string } = {}) {
      const form = multipartForm(file, filename === undefined ? {} : { filename })
      const headers = { ...form.headers, cookie: guest.cookie, ...(key !== undefined && { 'idempotency-key': key }) }
      return ask(guest, 'POST', '/mine', { headers, body: form.body })
    },
    mine: async (guest: TestGuest): Promise<OwnPhotos> => (await ask(guest, 'GET', '/mine')).json<OwnPhotos>(),
    statesOf: async (guest: TestGuest): Promise<OwnPhoto['state'][]> =>
      (await ask(guest, 'GET', '/mine')).json<OwnPhotos>().photos.map(({ state }) => state),
    review: async (user: TestUser, event: Event, query = ''): Promise<Reply<typeof listReview>> =>
      (await call(user, 'GET', `/user/events/${event.id}/review${query}`)).json<Reply<typeof listReview>>(),
    decide: (user: TestUser, event: Event, ids: string[], [from, to]: readonly [string, string]) =>
      call(user, 'POST', `/user/events/${event.id}/review`, { ids, from, to }),
  }
}
