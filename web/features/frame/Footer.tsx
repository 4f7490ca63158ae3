import { useText } from '../../lib/i18n.tsx'
import { frame } from '../../messages/en/frame.ts'
import { ThemeSwitch } from '../../ui/ThemeSwitch.tsx'
import { navItems } from './nav-items.ts'
import { NavLinks } from './NavLinks.tsx'

export function Footer({ availablePaths }: { availablePaths: readonly string[] }) {
  const text = useText({ frame })
  const items = navItems('footer', availablePaths)
  return (
    <footer className="footer">
      <div className="wrap footer__content">
        {items.length > 0 && (
          <nav aria-label={text.footerNavigation}>
            <NavLinks items={items} />
          </nav>
        )}
        <ThemeSwitch />
      </div>
    </footer>
  )
}
