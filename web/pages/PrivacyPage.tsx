import { LegalDocumentPage } from './LegalDocumentPage.tsx'

export const PrivacyPage = () => <LegalDocumentPage document="privacy" />
