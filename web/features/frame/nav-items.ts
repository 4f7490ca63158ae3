import { LayoutGrid, LogIn, Monitor, SlidersHorizontal, Tag, Upload, UserPlus, type LucideIcon } from 'lucide-react'
import { paths } from '../../lib/paths.ts'
import type { Catalogue } from '../../messages/en.ts'

export type NavItemName = keyof Catalogue['frame']['links']
export interface NavItem {
  name: NavItemName
  path: string
  Icon: LucideIcon | null
}

type Icons = Partial<Record<NavItemName, LucideIcon>>

const icons: Icons = {
  latest: Monitor,
  gallery: LayoutGrid,
  upload: Upload,
  settings: SlidersHorizontal,
  pricing: Tag,
  login: LogIn,
  register: UserPlus,
}

/** The items of each menu, in order. */
const menus = {
  signedIn: ['latest', 'gallery', 'upload', 'settings', 'pricing'],
  account: ['profile', 'settings', 'photoRequests', 'insights', 'print'],
  admin: ['admin'],
  signedOut: ['pricing'],
  signedOutPhone: ['pricing', 'login', 'register', 'latest'],
  footer: ['about', 'support', 'privacy', 'terms'],
} as const satisfies Record<string, readonly NavItemName[]>

/** The items of a menu whose pages exist; `moreIcons` are those that only this menu needs. */
export function navItems(
  menu: keyof typeof menus,
  availablePaths: readonly string[],
  moreIcons: Icons = {},
): NavItem[] {
  return menus[menu].flatMap((name: NavItemName) => {
    const path = (paths as Partial<Record<NavItemName, string>>)[name] // not every name has a page yet
    return path !== undefined && availablePaths.includes(path)
      ? [{ name, path, Icon: moreIcons[name] ?? icons[name] ?? null }]
      : []
  })
}
