import type { User } from '@keepsnap/contract/accounts.ts'
import { useText } from '../../lib/i18n.tsx'
import { branding } from '../../messages/en/branding.ts'
import bouquet from '../../pictures/bouquet-640.webp'
import { Upsell } from '../../ui/Upsell.tsx'
import { BrandImageSetting } from './BrandImageSetting.tsx'
import { tierIncludesBranding } from './queries.ts'

/** Logo and background; for plans without branding, an upgrade prompt. */
export function Appearance({ user }: { user: User }) {
  const text = useText({ branding }).upsell
  if (tierIncludesBranding(user.subscription_tier)) {
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
  return <Upsell art={art} heading={text.heading} lead={text.lead} action={text.action} />
}
