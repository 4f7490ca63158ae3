import { Cookie, X } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useId, useRef, useState, useSyncExternalStore } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation } from 'react-router'
import type { SiteInfo } from '@keepsnap/contract/site.ts'
import { useText } from '../../lib/i18n.tsx'
import { cookies } from '../../messages/en/site.ts'
import { frame } from '../../messages/en/frame.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { useApi } from '../../lib/app-services.tsx'
import { type PageRoute, paths } from '../../lib/paths.ts'
import { hasFailed } from '../../ui/QueryView.tsx'
import { openStorage } from '../../lib/storage.ts'
import { siteInfoQuery } from './site-info.ts'
import { createPageCounter } from './page-counter.ts'
import { createCookieDecisions, isDecisionValid } from './cookie-preferences.ts'
import './cookies.css'

interface Props {
  /** Of the current page; undefined on the page that says that there is none. */
  route: PageRoute | undefined
  settingsOpen: boolean
  onSettingsOpen: (open: boolean) => void
}

/** Counted in place of any URL without a page, which may contain anything. */
const unknownPage = '/404'

/** Asks for consent once, stores the answer, and counts visits if it is yes. A chunk that is loaded after the page. */
export function CookieConsent({ route, settingsOpen, onSettingsOpen }: Props) {
  const { pathname } = useLocation()
  // Only the pattern of a route: addresses contain ids and secrets. Null where nothing is asked or counted.
  const page = route?.layout.bigScreen ? null : (route?.path ?? unknownPage)
  const { origin } = useApi()
  const [decisions] = useState(() =>
    createCookieDecisions(
      openStorage(() => window.localStorage),
      window,
    ),
  )
  const [counter] = useState(() => createPageCounter(window, origin))
  const [now] = useState(Date.now)
  const decision = useSyncExternalStore(decisions.subscribe, decisions.current)
  const isOnPage = page !== null
  const site = useSite(isOnPage && (settingsOpen || decision === null || decision.preferences.tracking))
  const analytics = site.info?.analytics ?? null
  const isDecided = isDecisionValid(decision, { analyticsHost: analytics?.host ?? null, now })
  const mayCount = isDecided && decision.preferences.tracking

  useEffect(() => {
    if (page === null) counter.pause()
    else if (mayCount && analytics) counter.count(analytics, { path: page, address: pathname })
  }, [counter, mayCount, analytics, page, pathname])
  const storageHost = site.info?.storage_host ?? null
  useEffect(() => {
    if (!mayCount && site.isKnown) counter.stop(storageHost)
  }, [counter, mayCount, site.isKnown, storageHost])
  useFocusMainWhenHidden(!isDecided)

  if (!isOnPage) return null
  const decide = (tracking: boolean): void => {
    decisions.decide(tracking, analytics?.host ?? null)
    onSettingsOpen(false)
    // Only a reload removes the provider's script from the page.
    if (!tracking && counter.stop(storageHost)) window.location.reload()
  }
  return (
    <>
      {isDecided && <CookieSettingsButton onOpen={() => onSettingsOpen(true)} />}
      {!isDecided && site.isKnown && (
        <CookieNotice
          hasAnalytics={site.info === null || analytics !== null}
          onDecide={decide}
          onCustomize={() => onSettingsOpen(true)}
        />
      )}
      <CookieSettings
        open={settingsOpen}
        site={site}
        tracking={isDecided && decision.preferences.tracking}
        onSave={decide}
        onClose={() => onSettingsOpen(false)}
      />
    </>
  )
}

interface Site {
  info: SiteInfo | null
  isKnown: boolean
}

/** What the settings of the server say; `isKnown` also when they could not be loaded. */
function useSite(isNeeded: boolean) {
  const query = useQuery({ ...siteInfoQuery(useApi()), enabled: isNeeded })
  const { data } = query
  return { info: data ?? null, isKnown: data !== undefined || hasFailed(query) || !isNeeded }
}

/** Moves the focus to the main content when the notice is removed while one of its buttons has the focus. */
function useFocusMainWhenHidden(isShown: boolean): void {
  const wasShown = useRef(isShown)
  useEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body)
      document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true })
    wasShown.current = isShown
  }, [isShown])
}

/** What remains of the notice: where the choice can be changed. */
function CookieSettingsButton({ onOpen }: { onOpen: () => void }) {
  const text = useText({ frame })
  return (
    <Button className="cookie-settings-button" icon aria-label={text.cookieSettings} onClick={onOpen}>
      <Cookie className="icon" />
    </Button>
  )
}

interface CookieNoticeProps {
  /** Whether visits would be counted at all. */
  hasAnalytics: boolean
  onDecide: (tracking: boolean) => void
  onCustomize: () => void
}

/** A bar at the bottom of the window, a sheet on phones. It shifts no content; the page can be scrolled past it. */
function CookieNotice({ hasAnalytics, onDecide, onCustomize }: CookieNoticeProps) {
  const text = useText({ cookies })
  const id = useId()
  return (
    <section className="cookie-notice" aria-labelledby={id} ref={useHeightOnRoot()}>
      <div className="cookie-notice__text">
        <h2 id={id}>{text.title}</h2>
        <p className="small muted">
          {text.essential} {hasAnalytics ? text.permission : text.noAnalytics}{' '}
          <Link to={`${paths.privacy}#device`}>{text.more}</Link>
        </p>
      </div>
      <div className="cookie-notice__actions">
        <Button onClick={() => onDecide(false)}>{text.essentialOnly}</Button>
        <Button onClick={() => onDecide(true)}>{text.acceptAll}</Button>
        <Button className="cookie-notice__customize" tone="ghost" onClick={onCustomize}>
          {text.customize}
        </Button>
      </div>
    </section>
  )
}

const heightProperty = '--cookie-notice-height'

/** Tells the style sheet how much of the window the notice takes, for the end of the page and for toasts. */
const useHeightOnRoot = () =>
  useCallback((notice: HTMLElement) => {
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty(heightProperty, `${notice.offsetHeight}px`))
    observer.observe(notice)
    return () => {
      observer.disconnect()
      style.removeProperty(heightProperty)
    }
  }, [])

interface CookieSettingsProps {
  open: boolean
  site: Site
  /** The stored choice. */
  tracking: boolean
  onSave: (tracking: boolean) => void
  onClose: () => void
}

/** The choice in detail. Closing it without saving changes nothing. */
function CookieSettings({ open, onClose, ...rest }: CookieSettingsProps) {
  const id = useId()
  return (
    <Dialog open={open} onClose={onClose} aria-labelledby={id} className="dialog cookie-settings">
      <Preferences titleId={id} onClose={onClose} {...rest} />
    </Dialog>
  )
}

type PreferencesProps = Omit<CookieSettingsProps, 'open'> & { titleId: string }

function Preferences({ titleId, site, tracking, onSave, onClose }: PreferencesProps) {
  const text = useText({ cookies })
  const { cookieSettings } = useText({ frame })
  const [isTracking, setTracking] = useState(tracking)
  const save = (event: FormEvent): void => {
    event.preventDefault()
    onSave(isTracking)
  }
  return (
    <form onSubmit={save}>
      <h2 id={titleId}>{cookieSettings}</h2>
      <fieldset className="cookie-settings__choices">
        <legend className="visually-hidden">{text.choices}</legend>
        <Choice name={text.essentialName} hint={text.essentialHint} checked />
        <Choice name={text.analyticsName} hint={useAnalyticsHint(site)} checked={isTracking} onChange={setTracking} />
      </fieldset>
      <Button type="submit" block>
        {text.save}
      </Button>
      <Button className="cookie-settings__close" tone="ghost" icon aria-label={text.close} onClick={onClose}>
        <X className="icon" />
      </Button>
    </form>
  )
}

const providerNames = { matomo: 'Matomo', plausible: 'Plausible' } as const

/** What analytics would do on this site. Empty while that is loading. */
function useAnalyticsHint({ info, isKnown }: Site): string {
  const text = useText({ cookies })
  if (!isKnown) return ''
  if (info === null) return text.analyticsUnknown
  if (info.analytics === null) return text.noAnalytics
  const { provider, host } = info.analytics
  return text.analyticsHint(providerNames[provider], new URL(host).host)
}

interface ChoiceProps {
  name: string
  hint: string
  checked: boolean
  /** Without it, the choice is fixed. */
  onChange?: (checked: boolean) => void
}

function Choice({ name, hint, checked, onChange }: ChoiceProps) {
  const id = useId()
  return (
    <label className="cookie-settings__choice">
      <input
        type="checkbox"
        checked={checked}
        disabled={!onChange}
        aria-labelledby={id}
        aria-describedby={`${id}-hint`}
        onChange={(event) => onChange?.(event.currentTarget.checked)}
      />
      <b id={id}>{name}</b>
      <span id={`${id}-hint`} className="small muted">
        {hint}
      </span>
    </label>
  )
}
