import type { Insights } from '@keepsnap/contract/insights.ts'
import type { PhotoReport } from '@keepsnap/contract/reports.ts'
import type { Reply } from '@keepsnap/contract/endpoint.ts'
import type { listPhotoRequests, PhotoRequest } from '@keepsnap/contract/requests.ts'

const first = Date.parse('2026-11-14T20:00:00.000Z')

/** A request made in minute `number`, with its email sent unless `fields` say otherwise: `request3` is newer than `request2`. */
export const sampleRequest = (number: number, fields: Partial<PhotoRequest> = {}): PhotoRequest => ({
  id: `request${number}`,
  requester_email: `guest${number}@example.com`,
  requested_at: new Date(first + number * 60_000).toISOString(),
  photo: { id: `photo${number}`, filename: `IMG_${4000 + number}.jpg`, thumbnail_url: null },
  state: 'sent',
  due_at: null,
  sent_at: null,
  failure: null,
  ...fields,
})

/** A reported photo that needs a review. */
export const sampleReport = (number: number, fields: Partial<PhotoReport> = {}): PhotoReport => ({
  photo: { id: `photo${number}`, filename: `IMG_${4000 + number}.jpg`, thumbnail_url: null },
  hidden: false,
  hidden_by_operator: false,
  open: true,
  reports: [{ reason: 'me', note: null, reported_at: new Date(first).toISOString() }],
  decision: null,
  decided_at: null,
  ...fields,
})

const none = { scans: 0, views: 0, downloads: 0, requests: 0 }

/** Three days; most scans are on the second one. */
export const sampleInsights = (fields: Partial<Insights> = {}): Insights => ({
  from: '2026-11-12',
  to: '2026-11-14',
  time_zone: 'Europe/Brussels',
  totals: { scans: 1234, views: 80, downloads: 60, requests: 14 },
  days: [
    { day: '2026-11-12', ...none, scans: 34 },
    { day: '2026-11-13', scans: 1200, views: 80, downloads: 60, requests: 14 },
    { day: '2026-11-14', ...none },
  ],
  hours: Array.from({ length: 24 }, (_, hour) => ({ hour, ...none })),
  peak_hour: 22,
  evenings: [
    {
      day: '2026-11-13',
      photos: 40,
      scans: 1200,
      views: 80,
      downloads: 60,
      requests: 14,
      first_hour: 22,
      hours: { scans: [900, 200, 100], views: [50, 20, 10], downloads: [40, 20, 0], requests: [10, 4, 0] },
    },
    {
      day: '2026-11-12',
      photos: 9,
      ...none,
      scans: 34,
      first_hour: 20,
      hours: { scans: [4, 30], views: [0, 0], downloads: [0, 0], requests: [0, 0] },
    },
  ],
  conversion_percent: 6,
  best_photos: [
    { id: 'photo1', filename: 'IMG_4001.jpg', thumbnail_url: null, scans: 900, views: 70, downloads: 55, requests: 9 },
  ],
  ...fields,
})

/** The reply of a list that has all of an account's requests. */
export function sampleRequestList(requests: readonly PhotoRequest[]): Reply<typeof listPhotoRequests> {
  const counts = {
    total: requests.length,
    sent: requests.filter(({ state }) => state === 'sent').length,
    failed: requests.filter(({ state }) => state === 'failed').length,
  }
  return { requests: [...requests], ...counts, all: counts, next_removal: null }
}
