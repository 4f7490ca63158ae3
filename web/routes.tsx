import { lazy, type ComponentType } from 'react'
import { paths } from './lib/paths.ts'
import type { Screen } from './lib/screens.ts'

const page = (load: () => Promise<ComponentType>) => lazy(async () => ({ default: await load() }))

/** Every page there is; links of the frame lead to these and to nothing else. */
export const screens: readonly Screen[] = [
  {
    path: paths.home,
    Page: page(async () => (await import('./pages/HomePage.tsx')).HomePage),
    access: 'anyone',
    look: { className: 'home' },
  },
  {
    path: paths.login,
    Page: page(async () => (await import('./pages/LoginPage.tsx')).LoginPage),
    access: 'signed-out-back',
    look: { className: 'auth-page' },
  },
  {
    path: paths.register,
    Page: page(async () => (await import('./pages/RegisterPage.tsx')).RegisterPage),
    access: 'signed-out-home',
    look: { className: 'auth-page' },
  },
  {
    path: paths.forgotPassword,
    Page: page(async () => (await import('./pages/ForgotPasswordPage.tsx')).ForgotPasswordPage),
    access: 'anyone',
    look: { className: 'auth-page' },
  },
  {
    path: paths.resetPassword,
    Page: page(async () => (await import('./pages/ResetPasswordPage.tsx')).ResetPasswordPage),
    access: 'anyone',
    look: { className: 'auth-page' },
  },
  {
    path: paths.verifyEmail,
    Page: page(async () => (await import('./pages/VerifyEmailPage.tsx')).VerifyEmailPage),
    access: 'anyone',
    look: { className: 'auth-page' },
  },
  {
    path: paths.latest,
    Page: page(async () => (await import('./pages/LatestPage.tsx')).LatestPage),
    access: 'signed-in',
    look: { className: 'stage-page', stage: true },
  },
  {
    path: paths.gallery,
    Page: page(async () => (await import('./pages/GalleryPage.tsx')).GalleryPage),
    access: 'anyone',
    look: { className: 'gallery-page' },
  },
  {
    path: paths.upload,
    Page: page(async () => (await import('./pages/UploadPage.tsx')).UploadPage),
    access: 'signed-in',
    look: { className: 'upload-page' },
  },
  {
    path: paths.photoRequests,
    Page: page(async () => (await import('./pages/PhotoRequestsPage.tsx')).PhotoRequestsPage),
    access: 'signed-in',
    look: { className: 'requests-page' },
  },
  {
    path: paths.insights,
    Page: page(async () => (await import('./pages/InsightsPage.tsx')).InsightsPage),
    access: 'signed-in',
    look: { className: 'insights-page' },
  },
  {
    path: paths.profile,
    Page: page(async () => (await import('./pages/ProfilePage.tsx')).ProfilePage),
    access: 'anyone',
    look: { className: 'settings-page' },
  },
  {
    path: paths.settings,
    Page: page(async () => (await import('./pages/SettingsPage.tsx')).SettingsPage),
    access: 'signed-in',
    look: { className: 'settings-page' },
  },
]
