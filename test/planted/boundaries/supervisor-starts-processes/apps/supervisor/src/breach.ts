export * from '#providers';
