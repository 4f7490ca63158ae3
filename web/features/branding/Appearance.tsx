import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import type { UserPlan } from '../../lib/plan-status.ts'
import { branding } from '../../messages/en/branding.ts'
import { usage } from '../../messages/en/usage.ts'
import bouquet from '../../pictures/bouquet-640.webp'
import { Upsell } from '../../ui/Upsell.tsx'
import { BrandImageSetting } from './BrandImageSetting.tsx'

/** Logo and background; for plans that do not include them, an upgrade prompt. */
export function Appearance({ user, plan }: { user: User; plan: UserPlan }) {
  const text = useText({ branding }).upsell
  const { yourPlan } = useText({ usage })
  if (plan.features.custom_branding) {
    return (
      <div className="brand-images">
        <BrandImageSetting kind="logo" user={user} />
        <BrandImageSetting kind="background" user={user} />
      </div>
    )
  }
  const art = (
    <div className="upsell__art" aria-hidden="true">
      <img src={bouquet} alt="" loading="lazy" width="640" height="800" />
      <span className="sample-logo">
        <b>{text.sample}</b>
        <span>{text.sampleRest}</span>
      </span>
    </div>
  )
  return <Upsell art={art} heading={text.heading} lead={text.lead} note={yourPlan(plan.name)} action={text.action} />
}
