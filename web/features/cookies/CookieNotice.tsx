import { useCallback, useId } from 'react'
import { Link } from 'react-router'
import { useText } from '../../lib/i18n.tsx'
import { paths } from '../../lib/paths.ts'
import { cookies } from '../../messages/en/cookies.ts'
import { Button } from '../../ui/Button.tsx'

interface Props {
  /** Whether visits would be counted at all. */
  hasAnalytics: boolean
  onDecide: (tracking: boolean) => void
  onCustomize: () => void
}

/** A bar at the bottom of the window, a sheet on phones. It shifts no content; the page can be scrolled past it. */
export function CookieNotice({ hasAnalytics, onDecide, onCustomize }: Props) {
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
