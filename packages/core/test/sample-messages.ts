import type { CustomerProfile } from '../src/domain/customers/profile.js';

/** The customer of the sample appointment. */
export const sampleCustomer: CustomerProfile = {
  organizationId: 'org-1',
  appointmentId: '019a3f5c-7b1e-7c3d-8a4f-5e6d7c8b9a01',
  participantId: 'customer-1',
  primaryEmail: 'maria@example.org',
  primaryPhone: '+306900000001',
  firstName: 'Maria',
  lastName: 'Papadaki',
  metadata: {},
};

export const samplePage = { page: 'https://rooms.example.org/p/8f3k2m1q' };

export const sampleLinks = {
  join: 'https://rooms.example.org/j/8f3k2m1q',
  manage: 'https://rooms.example.org/m/8f3k2m1q',
};
