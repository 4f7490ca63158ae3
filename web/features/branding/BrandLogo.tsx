import { useState } from 'react'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'
import { logoGround } from '../../lib/logo-ground.ts'

/** The user's own logo, if the plan includes one. */
export function BrandLogo() {
  const media = useMediaUrl()
  const { user } = useCurrentUser()
  const logoUrl = user?.logo_url ?? null
  const brandLogoUrl = logoUrl && media(logoUrl)
  const [brokenLogoUrl, setBrokenLogoUrl] = useState<string | null>(null)
  if (!brandLogoUrl || brokenLogoUrl === brandLogoUrl) return null
  return (
    <img
      className="page-head__logo"
      {...logoGround(user?.logo_grounds)}
      src={brandLogoUrl}
      alt=""
      onError={() => setBrokenLogoUrl(brandLogoUrl)}
    />
  )
}
