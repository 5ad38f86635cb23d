"""What people see: views, forms, access and addresses, one folder a feature."""
