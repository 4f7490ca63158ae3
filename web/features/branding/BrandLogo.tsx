import { useState } from 'react'
import { useMediaUrl } from '../../lib/app-services.tsx'
import { useCurrentUser } from '../../lib/current-user.ts'

/** The user's own logo, if the plan includes one. */
export function BrandLogo() {
  const media = useMediaUrl()
  const logoUrl = useCurrentUser().user?.logo_url ?? null
  const brandLogoUrl = logoUrl && media(logoUrl)
  const [brokenLogoUrl, setBrokenLogoUrl] = useState<string | null>(null)
  if (!brandLogoUrl || brokenLogoUrl === brandLogoUrl) return null
  return <img className="page-head__logo" src={brandLogoUrl} alt="" onError={() => setBrokenLogoUrl(brandLogoUrl)} />
}
