import { expect, test } from 'vitest'
import type { PhotoRequest } from '@keepsnap/contract/requests.ts'
import { requestCsvHeading, requestCsvLine } from './request-csv.ts'

const request: PhotoRequest = {
  id: 'request',
  requester_email: 'guest@example.com',
  requested_at: '2026-05-01T10:20:00.000Z',
  photo: { id: 'photo', filename: 'party, "late".jpg', thumbnail_url: null },
  state: 'sent',
  due_at: null,
  sent_at: '2026-05-01T10:21:00.000Z',
  failure: null,
}

test('a line has a cell for each column of the heading', () => {
  expect(requestCsvHeading.trim().split(',')).toHaveLength(7)
  expect(requestCsvLine({ ...request, photo: { ...request.photo, filename: 'party.jpg' } }).trim()).toBe(
    '"guest@example.com","party.jpg","photo","2026-05-01T10:20:00.000Z","sent","2026-05-01T10:21:00.000Z",""',
  )
})

test('a file name with commas and quotes stays one cell', () => {
  expect(requestCsvLine(request)).toContain('"party, ""late"".jpg"')
})
