import { insights, type Insights } from '@keepsnap/contract/insights.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { Api } from '../../lib/api.ts'
import { isTransient } from '../../lib/api-errors.ts'
import type { DateRange } from './date-range.ts'

/** While a new version is started, a server of the one before can answer, which leaves them out. */
const defaults: Partial<Insights> = { evenings: [] }

/** The counts of a range of days. */
export const insightsQuery = (api: Api, range: DateRange) =>
  queryOptions({
    queryKey: ['insights', range],
    queryFn: async ({ signal }): Promise<Insights> => ({
      ...defaults,
      ...(await api.call(insights, { query: { ...range } }, { signal })),
    }),
    staleTime: 60_000,
    // The previous range stays visible until the next one is loaded, so that the layout does not jump.
    placeholderData: keepPreviousData,
    retry: (failures, error) => failures < 1 && isTransient(error),
  })
