import { insights } from '@keepsnap/contract/insights.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { isTransient } from '../../lib/api-errors.ts'
import { lastDaysRange, type RangeDays } from './date-range.ts'

/** The counts of the last days, including today, in the browser's time zone. */
export const insightsQuery = (api: Api, days: RangeDays) =>
  queryOptions({
    queryKey: ['insights', days],
    queryFn: ({ signal }) => api.call(insights, { query: lastDaysRange(days, new Date()) }, { signal }),
    staleTime: 60_000,
    // The previous range stays visible until the next one is loaded, so that the layout does not jump.
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })
