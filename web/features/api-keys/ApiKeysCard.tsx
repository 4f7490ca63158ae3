import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { account } from '../../messages/en/account.ts'
import { Upsell } from '../../ui/Upsell.tsx'

/** Advertises API keys, which cannot be created yet. */
export function ApiKeysCard({ tier }: { tier: User['subscription_tier'] }) {
  const text = useText({ account }).keys
  const { origin } = useApi()
  const art = (
    <code className="code upsell__code" aria-hidden="true" translate="no">
      {`curl -H "X-API-Key: …" \\\n  -F "file=@IMG_4380.jpg" \\\n  ${origin}/api/upload`}
    </code>
  )
  return (
    <Upsell art={art} heading={text.heading} lead={text[tier]} note={text.notAvailable} action={text.action} line />
  )
}
