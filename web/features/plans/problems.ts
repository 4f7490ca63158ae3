import { isUnauthorized } from '../../lib/api-errors.ts'
import { useSessionState } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { subscription } from '../../messages/en/subscription.ts'
import type { Catalogue } from '../../messages/en.ts'

/** The message about a failed call of the subscription. */
export function subscriptionErrorMessage(
  { error, token }: { error: unknown; token: string | null },
  fallback: string,
  text: Catalogue['subscription']['errors'],
): string {
  if (token === null) return text.noToken
  return isUnauthorized(error) ? text.expired : fallback
}

/** The message about this failure; null without one. */
export function useSubscriptionErrorMessage(error: unknown, fallback: string): string | null {
  const { errors } = useText({ subscription })
  const { token } = useSessionState()
  return error ? subscriptionErrorMessage({ error, token }, fallback, errors) : null
}
