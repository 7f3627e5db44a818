export * from '#provider-kit';
