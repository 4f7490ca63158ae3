import { lazy, Suspense } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import type { User } from '@keepsnap/contract/accounts.ts'
import { Appearance } from '../branding/Appearance.tsx'
import { WatermarkDetails, WatermarkLayoutSetting } from '../branding/WatermarkDetails.tsx'
import { ApiKeysCard } from '../integrations/ApiKeysCard.tsx'
import { PlanOverview } from '../plans/PlanOverview.tsx'
import { PlanUnknown } from '../plans/Usage.tsx'
import { useCurrentUser, useSession } from '../../lib/app-services.tsx'
import { useText } from '../../lib/i18n.tsx'
import { PageHeading, usePageTitle } from '../../ui/PageHeading.tsx'
import { usePlanStatus } from '../plans/plan-status.ts'
import { paths, reviewParameter } from '../../lib/paths.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import { account, security, settings } from '../../messages/en/settings.ts'
import { apiKeys } from '../../messages/en/integrations.ts'
import { branding } from '../../messages/en/branding.ts'
import { readiness } from '../../messages/en/guests.ts'
import { useToast } from '../../ui/Toasts.tsx'
import { Section, SectionLinks } from '../../ui/SectionLinks.tsx'
import { DeleteAccount, ExportData } from './ExportAndDeletion.tsx'
import { BrandNameField, LanguageField, ProfileInfo, TimeZoneField, UsernameField } from './ProfileSection.tsx'
import { AccessReviewDialog, ChangePassword, Sessions } from './Security.tsx'
import {
  EmailGateSwitch,
  EmailPreferenceSwitches,
  useEmailGate,
  useWatermarkSetting,
  WatermarkSwitch,
} from './Switches.tsx'
import './settings.css'

const Webhooks = lazy(async () => ({ default: (await import('../integrations/Webhooks.tsx')).Webhooks }))
const ReadinessSection = lazy(async () => ({
  default: (await import('../guests/ReadinessCheck.tsx')).ReadinessSection,
}))

const sectionIds = ['plan', 'ready', 'profile', 'look', 'photos', 'mail', 'api', 'safe'] as const
type SectionId = (typeof sectionIds)[number]

/** All settings of the account, in sections. */
export function SettingsPage() {
  const text = useText({ account })
  const { user } = useCurrentUser()
  const names = useSectionNames()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  usePageTitle(text.title)
  return (
    <div className="wrap">
      <header className="page-head">
        <PageHeading>{text.title}</PageHeading>
      </header>
      <div className="sectioned">
        <SectionLinks label={text.sections} ids={sectionIds} names={names} />
        <div className="settings__list">{user && <Sections user={user} names={names} />}</div>
      </div>
      {user && search.has(reviewParameter) && (
        <AccessReviewDialog onClose={() => void navigate(`${paths.settings}#safe`, { replace: true })} />
      )}
    </div>
  )
}

function useSectionNames(): Record<SectionId, string> {
  const text = useText({ account })
  const { photos, mail } = useText({ settings })
  return {
    plan: text.plan.name,
    ready: useText({ readiness }).name,
    profile: text.profile.name,
    look: useText({ branding }).name,
    photos,
    mail,
    api: useText({ apiKeys }).name,
    safe: useText({ security }).name,
  }
}

function Sections({ user, names }: { user: User; names: Record<SectionId, string> }) {
  const text = useText({ account })
  const endSession = useEndSession()
  const apiKeysText = useText({ apiKeys })
  const brandingText = useText({ branding })
  const readinessText = useText({ readiness })
  const securityText = useText({ security })
  const watermark = useWatermarkSetting()
  const emailGate = useEmailGate()
  const planStatus = usePlanStatus()
  const plan = planStatus.data?.plan
  return (
    <>
      <Section id="plan" title={names.plan}>
        <PlanOverview user={user} />
      </Section>
      <Section id="ready" title={names.ready} lead={readinessText.lead}>
        <Suspense fallback={<PlanUnknown failed={false} />}>
          <ReadinessSection email={user.email} />
        </Suspense>
      </Section>
      <Section id="profile" title={names.profile} lead={text.profile.lead}>
        <ProfileInfo user={user} />
        <div className="settings-section__line text-settings stack">
          <UsernameField user={user} />
          <BrandNameField user={user} />
          <TimeZoneField user={user} />
          <LanguageField />
        </div>
      </Section>
      <Section id="look" title={names.look} lead={brandingText.lead}>
        {plan ? <Appearance user={user} plan={plan} /> : <PlanUnknown failed={hasFailed(planStatus)} />}
      </Section>
      <Section id="photos" title={names.photos}>
        <WatermarkSwitch setting={watermark} />
        <WatermarkDetails
          user={user}
          included={plan?.features.custom_branding}
          on={watermark.value}
          layout={<WatermarkLayoutSetting user={user} />}
        />
        <div className="settings-section__line">
          <EmailGateSwitch gate={emailGate} />
        </div>
      </Section>
      <Section id="mail" title={names.mail}>
        <EmailPreferenceSwitches />
      </Section>
      <Section id="api" title={names.api} lead={apiKeysText.lead}>
        {plan ? <ApiKeysCard plan={plan} /> : <PlanUnknown failed={hasFailed(planStatus)} />}
        {plan && (
          <Suspense>
            <Webhooks plan={plan} />
          </Suspense>
        )}
        <Link className="small settings-section__link" to={paths.apiDocs}>
          {apiKeysText.documentation}
        </Link>
      </Section>
      <Section id="safe" title={names.safe}>
        <div className="security-actions">
          <ChangePassword />
          <Sessions onEndedAll={() => endSession(securityText.sessions.endedAll)} />
          <ExportData email={user.email} />
          <DeleteAccount photos={user.photo_count} onDeleted={() => endSession(securityText.deletion.done)} />
        </div>
      </Section>
    </>
  )
}

/** Ends the session in this browser, after the server has ended it; the guard of the page then redirects. */
function useEndSession(): (message: string) => void {
  const session = useSession()
  const toast = useToast()
  return (message) => {
    toast({ text: message })
    session.end('signed-out')
  }
}
