/** A condition for tables with a tenant: skips tenants that are suspended or being deleted. */
export const isOfActive = `tenant <> all (array(select slug from tenants where status <> 'active'))`
