import type { Reply } from '@keepsnap/contract/endpoint.ts'
import { helperDecide, type HelperPhoto, helperReview } from '@keepsnap/contract/event-helpers.ts'
import type { listReview, ReviewPhoto } from '@keepsnap/contract/event-photos.ts'
import type { Api } from '../../lib/api.ts'
import type { ReviewSource } from './review-store.ts'

/** Changes of others are seen so soon: the live connection is for accounts. */
export const helperPollMs = 5_000

export const helperKey = ['review', 'helper'] as const

/** What waits, with what the page says about the event and the helper. */
export type HelperList = Reply<typeof listReview> &
  Pick<Reply<typeof helperReview>, 'event_name' | 'helper_name' | 'expires_at'>

/** As the owner's review has it, without what a helper does not learn. */
const asReviewed = ({ review, contributor_name: name, ...photo }: HelperPhoto): ReviewPhoto => ({
  ...photo,
  review: review === 'none' ? 'approved' : review,
  contributor: name === null ? null : { id: '', name, blocked: false, photo_count: 0 },
  reviewed_at: null,
  reviewed_by: null,
  helper_name: null,
  gone_at: null,
})

/** The review of the event that this device helps with. */
export const helperSource = (api: Api) =>
  ({
    key: helperKey,
    async list(query, options): Promise<HelperList> {
      const { photos, ...list } = await api.call(helperReview, { query: { list: 'waiting', ...query } }, options)
      return { ...list, photos: photos.map(asReviewed) }
    },
    decide: (body) => api.call(helperDecide, { body }),
  }) satisfies ReviewSource
