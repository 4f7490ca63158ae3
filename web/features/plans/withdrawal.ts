import { queryOptions } from '@tanstack/react-query'
import { withdrawalOffer } from '@keepsnap/contract/withdrawals.ts'
import type { Api } from '../../lib/api.ts'
import { createDateFormat } from '../../lib/format.ts'
import { useFormat } from '../../lib/i18n.tsx'
import { subscriptionKey } from './plan-status.ts'

/** The contract that the account can withdraw from. */
export const withdrawalOfferQuery = (api: Api) =>
  queryOptions({
    queryKey: [...subscriptionKey, 'withdrawal'],
    queryFn: ({ signal }) => api.call(withdrawalOffer, {}, { signal }),
  })

/** Formats days of a contract as the law counts them: in Belgium. */
export function useBelgianDate(): (iso: string) => string {
  const format = createDateFormat(useFormat().locale, { dateStyle: 'long', timeZone: 'Europe/Brussels' })
  return (iso) => format(new Date(iso))
}
