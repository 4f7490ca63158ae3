import { insights } from '@keepsnap/contract/insights.ts'
import { planIds, plans, tierOf } from '@keepsnap/contract/plans.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { isPassing } from '../../lib/answers.ts'
import { spanOf, type Span } from './span.ts'

/** Whether a person of this tier sees insights. */
export const hasInsights = (tier: 'free' | 'pro'): boolean =>
  planIds.some((id) => tierOf(id) === tier && plans[id].features.analytics)

/** The numbers of the last few days, today included, in the browser's time zone. */
export const insightsQuery = (api: Api, span: Span) =>
  queryOptions({
    queryKey: ['insights', span],
    queryFn: ({ signal }) => api.call(insights, { query: spanOf(span, new Date()) }, { signal }),
    staleTime: 60_000,
    // Another span takes the place of the last one when it is there, and nothing jumps.
    placeholderData: keepPreviousData,
    retry: (failed, error) => failed < 1 && isPassing(error),
  })
