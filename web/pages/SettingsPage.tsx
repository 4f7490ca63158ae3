import type { User } from '@keepsnap/contract/accounts.ts'
import { lazy, Suspense } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import { Appearance } from '../features/branding/Appearance.tsx'
import { WatermarkDetails } from '../features/branding/WatermarkDetails.tsx'
import { ApiKeysCard } from '../features/api-keys/ApiKeysCard.tsx'
import { DeleteAccount } from '../features/privacy/DeleteAccount.tsx'
import { ExportData } from '../features/privacy/ExportData.tsx'
import { ProfileInfo } from '../features/profile/ProfileInfo.tsx'
import { ChangePassword } from '../features/security/ChangePassword.tsx'
import { Sessions } from '../features/security/Sessions.tsx'
import { EmailGateSwitch, useEmailGate } from '../features/settings/EmailGateSwitch.tsx'
import { EmailPreferenceSwitches, useWatermarkSetting, WatermarkSwitch } from '../features/settings/Switches.tsx'
import { WatermarkLayoutSetting } from '../features/settings/WatermarkLayoutSetting.tsx'
import { BrandNameField, UsernameField } from '../features/settings/NameFields.tsx'
import { LanguageField } from '../features/settings/LanguageField.tsx'
import { TimeZoneField } from '../features/settings/TimeZoneField.tsx'
import { PlanOverview } from '../features/plans/PlanOverview.tsx'
import { PlanUnknown } from '../features/plans/PlanUnknown.tsx'
import { useCurrentUser } from '../lib/current-user.ts'
import { useText } from '../lib/i18n.tsx'
import { usePageTitle } from '../lib/page-title.ts'
import { usePlanStatus } from '../lib/plan-status.ts'
import { useSession } from '../lib/app-services.tsx'
import { paths, reviewParameter } from '../lib/paths.ts'
import { hasFailed } from '../lib/query-failure.ts'
import { account } from '../messages/en/account.ts'
import { apiKeys } from '../messages/en/api-keys.ts'
import { branding } from '../messages/en/branding.ts'
import { readiness } from '../messages/en/readiness.ts'
import { security } from '../messages/en/security.ts'
import { settings } from '../messages/en/settings.ts'
import { PageHeading } from '../ui/PageHeading.tsx'
import { Section } from '../ui/Section.tsx'
import { useToast } from '../ui/Toasts.tsx'
import { AccessList, AccessReviewDialog, useAccessReview } from './AccessReview.tsx'
import { SectionLinks } from './SectionLinks.tsx'
import './settings.css'

const Webhooks = lazy(async () => ({ default: (await import('../features/webhooks/Webhooks.tsx')).Webhooks }))
const ReadinessSection = lazy(async () => ({ default: (await import('./ReadinessSection.tsx')).ReadinessSection }))

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
        <PageHeading>{text.heading}</PageHeading>
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
          <SessionsWithAccess onEndedAll={() => endSession(securityText.sessions.endedAll)} />
          <ExportData email={user.email} />
          <DeleteAccount photos={user.photo_count} onDeleted={() => endSession(securityText.deletion.done)} />
        </div>
      </Section>
    </>
  )
}

function SessionsWithAccess({ onEndedAll }: { onEndedAll: () => void }) {
  const review = useAccessReview('present password')
  const { all, count, deleteSelected } = review
  const list = all.length > 0 && <AccessList {...review} />
  return <Sessions access={{ list, selected: count, deleteSelected }} onEndedAll={onEndedAll} />
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
