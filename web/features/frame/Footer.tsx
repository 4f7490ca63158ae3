import { useText } from '../../lib/i18n.tsx'
import { frame } from '../../messages/en/frame.ts'
import { LanguageLinks } from '../../ui/LanguageLinks.tsx'
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx'
import { navItems } from './nav-items.ts'
import { NavLinks } from './NavLinks.tsx'

interface Props {
  availablePaths: readonly string[]
  onCookieSettings: () => void
}

export function Footer({ availablePaths, onCookieSettings }: Props) {
  const text = useText({ frame })
  return (
    <footer className="footer">
      <div className="wrap footer__content">
        <nav aria-label={text.footerNavigation}>
          <NavLinks items={navItems('footer', availablePaths)} />
          <button type="button" onClick={onCookieSettings}>
            {text.cookieSettings}
          </button>
        </nav>
        <LanguageLinks />
        <ThemeSwitch />
      </div>
    </footer>
  )
}
