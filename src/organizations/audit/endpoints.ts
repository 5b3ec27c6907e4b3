/** What happened (§6): for people and programs, and in the form that log collectors know. */
import { showAuditConfiguration, updateAuditConfiguration } from './configuration.ts';
import { listAuditEvents, listSiteAuditEvents } from './list.ts';
import { showAuditTrail } from './trail.ts';

export const auditEndpoints = [
  listAuditEvents,
  listSiteAuditEvents,
  showAuditTrail,
  showAuditConfiguration,
  updateAuditConfiguration,
];
